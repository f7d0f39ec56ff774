import { composeDraft, type ComposedConfig } from '../compose/compose-config.ts'
import type { ConfigRegistry } from '../compose/config-registry.ts'
import { loadDraft, type LoadConfigOptions } from './load-config.ts'

/**
 * Reads a configuration file and composes it: `loadConfig` and `composeConfig` in one call. A fault of the file does not hide names
 * that are not registered.
 * @throws ParleyError `file-unreadable` if the file cannot be read; `config-invalid` with all problems that `loadConfig` and
 * `composeConfig` find.
 */
export async function composeFile(
  path: string,
  registry: ConfigRegistry = {},
  options: LoadConfigOptions = {},
): Promise<ComposedConfig> {
  return composeDraft(await loadDraft(path, options), registry)
}
