import type { PromptyAgent } from '../format/prompty-agent.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { loadPrompty as loadPortably } from '../load-prompty.ts'
import { createNodeFiles } from './create-node-files.ts'

/** `loadPrompty` for Node.js: reads the file system and `process.env` by default. */
export async function loadPrompty(
  path: string,
  { files = createNodeFiles(), environment = process.env }: Pick<PromptyHost, 'files' | 'environment'> = {},
): Promise<PromptyAgent> {
  return await loadPortably(path, { files, environment })
}
