/** The text of a field. @returns `undefined` if it is empty */
export function textField(fields: Pick<FormData, 'get'>, name: string): string | undefined {
  const value = fields.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/**
 * Reads a text as JSON.
 * @throws Error that names the field, if it is not JSON
 */
export function parseField<TValue>(text: string, name: string): TValue {
  try {
    return JSON.parse(text) as TValue
  } catch (error) {
    throw new Error(`The field “${name}” is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
