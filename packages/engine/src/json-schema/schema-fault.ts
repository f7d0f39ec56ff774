import { ParleyError } from '@parley/core'

/** Refuses a schema that is none, naming the place of the fault in it. */
export function schemaFault(path: string, detail: string): never {
  throw new ParleyError({ code: 'config-invalid', path: path === '' ? 'schema' : path, detail })
}
