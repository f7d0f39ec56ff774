import { ParleyError } from './parley-error.ts'

/**
 * Rejects an option.
 * @throws ParleyError `config-invalid`, always. The error contains the option's path and what is wrong with it.
 */
export function refuseOption(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path, detail })
}
