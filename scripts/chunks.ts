/**
 * How the modules of the web share files, so that a screen waits for what it shows and for little else. Left alone, every
 * piece shared by two screens would be a request, down to each icon.
 */

import { SCHEMAS } from './contract-parts.ts'

type Graph = { getModuleInfo: (id: string) => { importers: string[] } | null }

const LANDING = /\/landing\.html$/
const EVERYWHERE = /\/web\/(main|shell\/Providers)\.tsx$/
const LISTS = /\/web\/(shell\/(areas|Page)|table\/DataTable)\.tsx$/
const ICONS = /\/lucide-react\//
const SCREENS = /\/web\/(?!auth|access-links).*(Page|Board|Dashboards)\.tsx$/
const FIELDS = /\/web\/form\//
const NOTICES = /\/contract\/notices\.ts$/
const FACTORS = /\/web\/second-factors\//
const POPUPS = /\/(@base-ui|@floating-ui|web\/ui\/popups)\//
const ZOD = /\/node_modules\/zod\//
const BOARDS = /\/web\/(boards|charts|dashboards)\/|\/ui\/StatCard\.tsx$/
const RESULTS = /\/web\/results\/ResultsPage\.tsx$/
const WORDS = /\/(contract\/words|payments\/EntryLines)\.tsx?$/
const COMPANIES =
  /\/web\/(companies\/[Aa]ccess|companies\/[A-Z]|settings\/|access-links\/)|\/contract\/(second-factors|device)\.ts$/
const SIGN_IN = /\/web\/auth\/LoginPage\.tsx$/

/** Whether one of these files needs the module from the start, by way of however many others. */
function isNeededBy(roots: RegExp, id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (seen.has(id)) return false
  seen.add(id)
  const importers = graph.getModuleInfo(id)?.importers ?? []
  return importers.some((importer) => roots.test(importer) || isNeededBy(roots, importer, graph, seen))
}

function isNeededEverywhere(id: string, graph: Graph): boolean {
  const isOfBoth = () => isNeededBy(SIGN_IN, id, graph) && (ICONS.test(id) || isNeededBy(LISTS, id, graph))
  if (EVERYWHERE.test(id) || !(isNeededBy(EVERYWHERE, id, graph) || isOfBoth())) return false
  return !isNeededBy(LANDING, id, graph)
}

const unlessOfLanding = (name: string, id: string, graph: Graph) => (isNeededBy(LANDING, id, graph) ? null : name)

/** For `codeSplitting.groups` of Rolldown; an earlier group wins. */
export const chunks = [
  // The sign-in has a form, too, and does without the schemas of all others.
  {
    debugName: 'zod',
    name: (id: string, graph: Graph) =>
      ZOD.test(id) || (SCHEMAS.test(id) && isNeededBy(SIGN_IN, id, graph)) ? 'zod' : null,
  },
  { debugName: 'schemas', name: 'schemas', test: SCHEMAS },
  {
    debugName: 'everywhere',
    name: (id: string, graph: Graph) => (isNeededEverywhere(id, graph) ? 'everywhere' : null),
  },
  { debugName: 'popups', name: 'popups', test: POPUPS },
  // Of settings and of the bell, which comes after the rows: with what screens share it would come before.
  { debugName: 'notices', name: 'notices', test: NOTICES },
  {
    debugName: 'forms',
    name: (id: string, graph: Graph) => (isNeededBy(SIGN_IN, id, graph) ? unlessOfLanding('forms', id, graph) : null),
  },
  {
    debugName: 'lists',
    name: (id: string, graph: Graph) =>
      LISTS.test(id) || isNeededBy(LISTS, id, graph) ? unlessOfLanding('lists', id, graph) : null,
  },
  {
    debugName: 'icons',
    name: (id: string, graph: Graph) => (ICONS.test(id) && isNeededBy(SCREENS, id, graph) ? 'icons' : null),
    minShareCount: 2,
  },
  { debugName: 'later-icons', name: 'later-icons', test: ICONS, minShareCount: 2 },
  // Of settings and of who has to register one; with what screens share it would bring the forms before the rows.
  {
    debugName: 'factors',
    name: (id: string, graph: Graph) => (FACTORS.test(id) && isNeededBy(SCREENS, id, graph) ? 'factors' : null),
  },
  {
    debugName: 'dialogs',
    name: (id: string, graph: Graph) =>
      FIELDS.test(id) || !isNeededBy(SCREENS, id, graph) ? unlessOfLanding('dialogs', id, graph) : null,
    minShareCount: 3,
  },
  // Many lists have neither charts nor keys nor the words of events.
  {
    debugName: 'boards',
    name: (id: string, graph: Graph) =>
      BOARDS.test(id) ? (isNeededBy(RESULTS, id, graph) ? 'board-filters' : 'boards') : null,
    minShareCount: 4,
  },
  { debugName: 'words', name: 'words', test: WORDS, minShareCount: 4 },
  { debugName: 'companies', name: 'companies', test: COMPANIES, minShareCount: 4 },
  {
    debugName: 'screens',
    name: (id: string, graph: Graph) => (isNeededBy(SCREENS, id, graph) ? unlessOfLanding('screens', id, graph) : null),
    minShareCount: 5, // of some forty screens
  },
]
