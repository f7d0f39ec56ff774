import { parse } from 'yaml'

/** A folder with instructions for one kind of task, in the AgentSkills format: a `SKILL.md` and the files it names. */
export interface Skill {
  /** Lower-case letters, digits and single hyphens, at most 64 characters. */
  readonly name: string
  /** What the skill does and when to use it. At most 1,024 characters. */
  readonly description: string
  /** Real, absolute path of the folder. */
  readonly directory: string
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1_024

/** Parses the frontmatter of a `SKILL.md`. Returns a sentence with everything that is wrong if it is invalid. */
export function parseSkill(text: string): Pick<Skill, 'name' | 'description'> | string {
  const yaml = FENCED.exec(text)?.groups?.['yaml']
  if (yaml === undefined) return `has no frontmatter: begin it with a line '---', and end the frontmatter with another`
  let fields: unknown
  try {
    fields = parse(yaml, { maxAliasCount: 100, logLevel: 'error' })
  } catch (error) {
    return `has frontmatter that is not valid YAML: ${error instanceof Error ? error.message : String(error)}`
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return 'has frontmatter that is not a mapping of keys; requires name and description'
  const { name, description } = fields as Readonly<Record<string, unknown>>
  const faults = [nameFault(name), descriptionFault(description)].filter(fault => fault !== undefined)
  if (faults.length > 0 || typeof name !== 'string' || typeof description !== 'string')
    return `has frontmatter that cannot be used: ${faults.join('; ')}`
  return { name, description: description.trim() }
}

function nameFault(name: unknown): string | undefined {
  if (name === undefined || name === null) return 'name is missing'
  if (typeof name === 'string' && name.length <= MAX_NAME && NAME.test(name)) return undefined
  return `name is ${JSON.stringify(name)}; must be lower-case letters, digits and single hyphens, at most ${MAX_NAME}`
}

function descriptionFault(description: unknown): string | undefined {
  if (description === undefined || description === null) return 'description is missing'
  if (typeof description !== 'string' || description.trim() === '') return 'description must be text'
  if (description.trim().length <= MAX_DESCRIPTION) return undefined
  return `description has ${description.trim().length} characters; the limit is ${MAX_DESCRIPTION}`
}
