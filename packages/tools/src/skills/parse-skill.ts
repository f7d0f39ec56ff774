import { parse } from 'yaml'

/** A folder with instructions for one kind of task, by the AgentSkills format: a `SKILL.md` and the files it speaks of. */
export interface Skill {
  /** Lower-case letters, digits and single hyphens, at most 64 characters. */
  readonly name: string
  /** What it does and when to use it, at most 1,024 characters. */
  readonly description: string
  /** The real, absolute path of its folder. */
  readonly directory: string
}

const FENCED = /^\uFEFF?---[ \t]*\r?\n(?<yaml>[^]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_NAME = 64
const MAX_DESCRIPTION = 1_024

/** What the frontmatter of a `SKILL.md` says, or a sentence with all that is wrong about it. */
export function parseSkill(text: string): Pick<Skill, 'name' | 'description'> | string {
  const yaml = FENCED.exec(text)?.groups?.['yaml']
  if (yaml === undefined) return `has no frontmatter: begin it with a line '---', and end that part with another`
  let fields: unknown
  try {
    fields = parse(yaml, { maxAliasCount: 100, logLevel: 'error' })
  } catch (error) {
    return `has frontmatter that is no YAML: ${error instanceof Error ? error.message : String(error)}`
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return 'has frontmatter that is no mapping of keys; it needs name and description'
  const { name, description } = fields as Readonly<Record<string, unknown>>
  const faults = [nameFault(name), descriptionFault(description)].filter(fault => fault !== undefined)
  if (faults.length > 0 || typeof name !== 'string' || typeof description !== 'string')
    return `has frontmatter that cannot be used: ${faults.join('; ')}`
  return { name, description: description.trim() }
}

function nameFault(name: unknown): string | undefined {
  if (name === undefined || name === null) return 'name is missing'
  if (typeof name === 'string' && name.length <= MAX_NAME && NAME.test(name)) return undefined
  return `name is ${JSON.stringify(name)}, it must be lower-case letters, digits and single hyphens, at most ${MAX_NAME}`
}

function descriptionFault(description: unknown): string | undefined {
  if (description === undefined || description === null) return 'description is missing'
  if (typeof description !== 'string' || description.trim() === '') return 'description is no text'
  if (description.trim().length <= MAX_DESCRIPTION) return undefined
  return `description has ${description.trim().length} characters, the limit is ${MAX_DESCRIPTION}`
}
