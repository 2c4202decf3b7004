import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './scripts/chunks.ts'
import { contractInParts } from './scripts/contract-parts.ts'
import { FLOOR } from './scripts/floor.ts'
import { prerender } from './web/prerender.ts'

const STYLE_TAG = /^__insertCSS\(.*\);?$/m

/** sonner writes a <style> tag, which style-src 'self' forbids; web/styles.css imports the same rules as a file. */
const sonnerWithoutStyleTag: Plugin = {
  name: 'sonner-without-style-tag',
  transform: {
    filter: { id: /node_modules\/sonner\/dist\/index\.m?js/ },
    handler(code) {
      if (!STYLE_TAG.test(code)) this.error('sonner no longer inserts its styles this way')
      return { code: code.replace(STYLE_TAG, ''), map: null }
    },
  },
}

const PROCESSORS = /^ *inst\._zod\.processJSONSchema = .*$/gm
const METHODS = /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} .*$/m
const NO_METHODS = 'const createStandardJSONSchemaMethod = () => undefined, createToJSONSchemaMethod = undefined'

/** Each schema of zod can describe itself as a JSON schema, which no browser asks for: 7 kB of the first load. */
const zodWithoutJsonSchema: Plugin = {
  name: 'zod-without-json-schema',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/zod\/v4\/classic\/schemas\.js/ },
    handler(code) {
      if (code.search(PROCESSORS) < 0 || !METHODS.test(code)) this.error('zod no longer makes JSON schemas this way')
      return { code: code.replace(PROCESSORS, '').replace(METHODS, NO_METHODS), map: null }
    },
  },
}

const ALL_ICONS = 'node_modules/lucide-react/dist/esm/lucide-react.mjs'
const ICON = /^export \{ (.*) \} from '\.\/icons\/([\w-]+)\.mjs';$/gm
const fileOfIcon = new Map(
  [...readFileSync(ALL_ICONS, 'utf8').matchAll(ICON)].flatMap(([, names = '', file]) =>
    names.split(', ').map((name) => [name.replace('default as ', ''), file]),
  ),
)

/** The graph then says which screens an icon is for; by the file that names them all, each would seem to be for every one. */
const iconsOneByOne: Plugin = {
  name: 'icons-one-by-one',
  apply: 'build',
  transform: {
    filter: { id: /\/web\/.*\.tsx?$/, code: 'lucide-react' },
    handler(code) {
      const importIcon = (written: string) => {
        const [name = '', local = name] = written.trim().split(' as ')
        const file = fileOfIcon.get(name) ?? this.error(`lucide-react has no ${name}`)
        return `import ${local} from 'lucide-react/icons/${file}'`
      }
      const one = (_: string, names: string) => names.split(',').map(importIcon).join(';')
      return { code: code.replace(/^import \{([^}]+)\} from ["']lucide-react["']/gm, one), map: null }
    },
  },
}

const NEW_CONFIG = '_a.__zod_globalConfig = {}'

/** zod probes for eval; the content security policy forbids it and the browser would report the attempt. */
const zodWithoutEval: Plugin = {
  name: 'zod-without-eval',
  apply: 'build',
  transform: {
    filter: { id: /node_modules\/zod\/v4\/core\/core\.js/ },
    handler(code) {
      if (!code.includes(NEW_CONFIG)) this.error('zod no longer makes its configuration this way')
      return { code: code.replace(NEW_CONFIG, '_a.__zod_globalConfig = { jitless: true }'), map: null }
    },
  },
}

const zod = [zodWithoutJsonSchema, zodWithoutEval]

/** As small as it gets, once: as the server compresses while it sends, scripts are a fifth larger (server/http/web.ts). */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file))) {
      const file = join(dir, name)
      writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
    }
  },
}

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    sonnerWithoutStyleTag,
    iconsOneByOne,
    zod,
    contractInParts,
    prerender,
    compressedCopies,
  ],
  optimizeDeps: { exclude: ['sonner'] },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(
      ['/api', '/healthz', '/readyz', '/aviso-de-privacidad', '/terminos'].map((path) => [
        path,
        'http://127.0.0.1:3000',
      ]),
    ),
  },
  preview: { host: '127.0.0.1' },
  build: {
    outDir: 'dist/web',
    target: Object.entries(FLOOR).map(([browser, version]) => `${browser}${version}`),
    // The policy's font-src and img-src name no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // A schema that no form uses is left out.
      treeshake: { manualPureFunctions: ['z'] },
      input: ['index.html', 'landing.html', 'login.html'],
      output: {
        codeSplitting: { includeDependenciesRecursively: false, groups: chunks },
        // Names last: blockers stop files whose name begins like `/assets/tracking-` (D91).
        entryFileNames: 'assets/[hash]-[name].js',
        chunkFileNames: 'assets/[hash]-[name].js',
      },
    },
    // React and its router alone are most of it, before compression.
    chunkSizeWarningLimit: 700,
  },
})
