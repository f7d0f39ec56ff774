import { exclusiveBounds } from './keywords/number-checks.ts'
import type { JsonSchemaObject } from './standard-schema.ts'
import { replaceSubschemas } from './subschemas.ts'

/**
 * Rewrites the forms of older drafts as draft 2020-12 writes them, because providers reject a tool whose schema has them: lists of
 * `items`, boolean bounds and keywords that are `null`. Returns the same object if it has none of them.
 */
export function toLatestDraft(schema: JsonSchemaObject): JsonSchemaObject {
  // A reference to an item of a tuple would lose its target.
  if (JSON.stringify(schema).includes('/items/')) return schema
  return rewrite(schema)
}

function rewrite(given: JsonSchemaObject): JsonSchemaObject {
  const schema = replaceSubschemas(given, rewrite)
  const { items, additionalItems, required } = schema
  const isOld =
    Array.isArray(items) ||
    typeof required === 'boolean' ||
    typeof schema['exclusiveMinimum'] === 'boolean' ||
    typeof schema['exclusiveMaximum'] === 'boolean' ||
    Object.entries(schema).some(isEmptyKeyword)
  if (!isOld) return schema
  const rest = Object.fromEntries(Object.entries(exclusiveBounds(schema)).filter(entry => !isEmptyKeyword(entry)))
  if (typeof required === 'boolean') delete rest['required']
  if (!Array.isArray(items)) return rest
  delete rest['items']
  delete rest['additionalItems']
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) }
}

function isEmptyKeyword([keyword, value]: readonly [string, unknown]): boolean {
  return value === null && keyword !== 'const' && keyword !== 'default'
}
