import { createPrompty } from './create-prompty.ts'
import type { PromptyAgent } from './format/prompty-agent.ts'
import type { PromptyHost } from './host/prompty-host.ts'

/** Reads a file, without `createPrompty`. @throws ParleyError `file-unreadable`; `config-invalid` with file, line and key. */
export async function loadPrompty(
  path: string,
  host: Pick<PromptyHost, 'files' | 'environment'>,
): Promise<PromptyAgent> {
  return await createPrompty(host).load(path)
}
