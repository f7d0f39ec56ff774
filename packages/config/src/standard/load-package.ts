import { ParleyError } from '@parley/core'

/**
 * Imports an optional package.
 * @throws ParleyError `config-invalid` if it is not installed.
 */
export async function loadPackage<TModule>(name: string, load: () => Promise<TModule>): Promise<TModule> {
  try {
    return await load()
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause
    const missing = /'(@?[\w-]+(?:\/[\w-]+)?)[^']*'/.exec(cause.message)?.[1] ?? name
    const detail = `requires the package '${missing}', which is not installed: npm install ${missing}`
    throw new ParleyError({ code: 'config-invalid', path: name, detail }, { cause })
  }
}
