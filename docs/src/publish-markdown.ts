import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Makes the links of the published Markdown pages lead to a page. VitePress publishes `start/index.md` as `start.md`, where its links to
 * `./node.md` would lead nowhere, and gives pictures another name.
 * @param pages The folder of the pages, from which the site was built.
 * @param site The folder of the site.
 */
export function publishMarkdown(pages: string, site: string): void {
  for (const path of globSync('**/index.md', { cwd: pages })) {
    const folder = dirname(path)
    const published = join(site, `${folder}.md`)
    if (folder === '.' || !existsSync(published)) continue
    const text = readFileSync(published, 'utf8')
    mkdirSync(join(site, folder), { recursive: true })
    writeFileSync(join(site, path), text)
    writeFileSync(published, moveUp(text, folder))
  }
  for (const path of globSync('**/*.{svg,png}', { cwd: pages })) cpSync(join(pages, path), join(site, path))
}

/** Changes links that are relative to `folder` into links that are relative to its parent. */
function moveUp(text: string, folder: string): string {
  const name = folder.split('/').at(-1) ?? ''
  return text.replaceAll(/\]\((\.\.?)\//g, (_, dots: string) => (dots === '..' ? '](./' : `](./${name}/`))
}
