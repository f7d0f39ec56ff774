/** Keywords of which a JSON Schema for arguments or results has at least one. */
const KEYWORDS = new Set(
  `$schema $id $ref $dynamicRef $defs $comment definitions type properties patternProperties additionalProperties
  unevaluatedProperties propertyNames required minProperties maxProperties dependentRequired dependentSchemas items prefixItems
  minItems maxItems uniqueItems contains enum const allOf anyOf oneOf not if title description default examples format pattern
  minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf`.split(/\s+/),
)

/**
 * Whether a value is a Standard Schema or a JSON Schema. An object of schemas (`{ city: z.string() }`) is neither: JSON Schema
 * ignores unknown keywords, so it would accept every argument.
 */
export function isSchema(value: unknown): boolean {
  if (isStandard(value)) return true
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  if (Object.values(value).some(isStandard)) return false
  return names.length === 0 || names.some(name => KEYWORDS.has(name))
}

/** Whether a value is a Standard Schema. ArkType's schemas are functions, so a function counts too. */
function isStandard(value: unknown): boolean {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value
}
