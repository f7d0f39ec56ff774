/** Thrown for a schema that is none; the message names the keyword's place. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault'
}
