import { defineConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import { nav, sidebar } from '../src/site-map.ts'

export default defineConfig({
  title: 'Parley',
  description: 'Durable LLM agents in TypeScript. Every step is in a journal, so a run survives a crash.',
  lang: 'en',
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  cleanUrls: true,
  // Long tables scroll with the keyboard as well.
  markdown: {
    config: md => {
      md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n'
      md.renderer.rules['table_close'] = () => '</table></div>\n'
    },
  },
  themeConfig: {
    nav,
    sidebar,
    search: { provider: 'local' },
    outline: 'deep',
  },
  vite: {
    plugins: [llmstxt({ ignoreFiles: ['api/**'] })],
    build: { chunkSizeWarningLimit: 5_000 },
  },
})
