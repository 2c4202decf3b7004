/**
 * How the modules of the web share files: one holds what the sign-in needs (and so everybody), one what several screens
 * need, and each screen has its own. Left alone, every piece shared by two screens would be a request, down to each icon.
 */

type Graph = { getModuleInfo: (id: string) => { importers: string[]; importedIds: string[] } | null }

// It names every icon, so that whoever imports one from it would seem to need them all.
const ALL_ICONS = /\/lucide-react\/dist\/esm\/lucide-react\.mjs$/
const LANDING = /\/landing\.html$/
const SIGN_IN = /\/web\/(main|shell\/Providers|auth\/LoginPage)\.tsx$/

/** Whether one of these files needs the module, by way of however many others. */
function isNeededBy(roots: RegExp, id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (seen.has(id) || ALL_ICONS.test(id)) return false
  seen.add(id)
  const importers = graph.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => roots.test(importer) || isNeededBy(roots, importer, graph, seen))
}

function isOfSignIn(id: string, graph: Graph): boolean {
  if (!isNeededBy(SIGN_IN, id, graph)) return false
  // An icon taken from there would lie with the screens, and the two files would wait for each other.
  const allIcons = graph.getModuleInfo(id)?.importedIds?.some((imported) => ALL_ICONS.test(imported))
  if (allIcons) throw new Error(`${id}: the sign-in needs it, so it imports each icon from 'lucide-react/icons/…'`)
  return !isNeededBy(LANDING, id, graph)
}

/** For `codeSplitting.groups` of Rolldown; an earlier group wins. */
export const chunks = [
  {
    debugName: 'sign-in',
    name: (id: string, graph: Graph) => (!SIGN_IN.test(id) && isOfSignIn(id, graph) ? 'sign-in' : null),
  },
  {
    debugName: 'screens',
    name: (id: string, graph: Graph) => (isNeededBy(LANDING, id, graph) ? null : 'screens'),
    minShareCount: 4, // of some forty screens
  },
]
