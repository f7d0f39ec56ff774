import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/studio/',
  plugins: [react()],
  // The page imports types of other packages, and one client: from their sources.
  resolve: { conditions: ['@parley/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist/page',
    emptyOutDir: true,
    // A page with a strict content policy loads no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
