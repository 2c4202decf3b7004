import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './scripts/chunks.ts'
import { prerenderLanding } from './web/landing/prerender.ts'

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

export default defineConfig({
  plugins: [react(), tailwindcss(), sonnerWithoutStyleTag, prerenderLanding],
  optimizeDeps: { exclude: ['sonner'] },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/healthz', '/readyz'].map((path) => [path, 'http://127.0.0.1:3000'])),
  },
  preview: { host: '127.0.0.1' },
  build: {
    outDir: 'dist/web',
    target: 'es2022',
    // The policy's font-src and img-src name no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'landing.html'],
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunks } },
    },
    // React and its router alone are most of it, before compression.
    chunkSizeWarningLimit: 700,
  },
})
