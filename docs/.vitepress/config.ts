import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import { nav, sidebar } from './site-map.ts'

/** The folder with the pages, to which the site is built, too. */
const OUT = process.env['PARLEY_DOCS_OUT'] ?? join(import.meta.dirname, '../dist')

export default defineConfig({
  title: 'Parley',
  description: 'Durable LLM agents in TypeScript. Every step is in a journal, so a run survives a crash.',
  lang: 'en',
  srcDir: join(OUT, 'pages'),
  outDir: join(OUT, 'site'),
  cleanUrls: true,
  // A sample lacks most pages that its pages lead to.
  ignoreDeadLinks: process.env['PARLEY_DOCS_SAMPLE'] === '1',
  cacheDir: join(OUT, 'cache'),
  // Long tables scroll with the keyboard as well.
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: md => {
      md.renderer.rules['table_open'] = (tokens, index) => {
        const number = tokens.slice(0, index + 1).filter(({ type }) => type === 'table_open').length
        return `<div class="table" tabindex="0" role="region" aria-label="Table ${number}"><table>\n`
      }
      md.renderer.rules['table_close'] = () => '</table></div>\n'
      // Vue would read {{ as the start of an expression.
      const braces = (text = ''): string => md.utils.escapeHtml(text).replaceAll('{', '&#123;')
      md.renderer.rules['text'] = (tokens, index) => braces(tokens[index]?.content)
      md.renderer.rules['code_inline'] = (tokens, index) => `<code v-pre>${braces(tokens[index]?.content)}</code>`
    },
  },
  themeConfig: {
    nav,
    sidebar,
    search: {
      provider: 'local',
      options: {
        // The reference of the API is not searched: its words would hide the guides.
        _render: (text, env, md) => (env.relativePath.startsWith('api/') ? '' : md.render(text, env)),
      },
    },
    outline: 'deep',
  },
  vite: {
    plugins: [llmstxt({ ignoreFiles: ['api/**'] })],
    build: { chunkSizeWarningLimit: 5_000, target: 'es2022' },
  },
})
