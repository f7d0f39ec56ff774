import type { Json } from '@parley/core'
import type { KeyPath } from '../schema/config.ts'
import type { ProfileData } from '../schema/agent-schema.ts'
import type { ConfigData } from '../schema/config-schema.ts'
import type { InstructionPart, InstructionsData } from '../schema/instructions-schema.ts'

/** Reads the files that a configuration names. Returns `undefined` for a file that it cannot use. */
export interface FileReader {
  /** Reads a text file. */
  text(file: string, key: KeyPath): Promise<string | undefined>
  /** Reads a file that contains a JSON object. */
  object(file: string, key: KeyPath): Promise<Record<string, Json> | undefined>
}

/** Replaces the names of files in a configuration with the content of the files. */
export async function inlineFiles(data: ConfigData, read: FileReader): Promise<ConfigData> {
  const [agents, profiles] = await Promise.all([
    inlineAll('agents', data.agents, read),
    data.profiles && inlineAll('profiles', data.profiles, read),
  ])
  return { ...data, agents, ...(profiles && { profiles }) }
}

async function inlineAll<TAgent extends ProfileData>(
  section: string,
  agents: Readonly<Record<string, TAgent>>,
  read: FileReader,
): Promise<Record<string, TAgent>> {
  const entries = Object.entries(agents).map(async ([name, agent]) => {
    const { instructions, output } = agent
    const [told, schema] = await Promise.all([
      instructions && inlineInstructions(instructions, [section, name, 'instructions'], read),
      output && inlineOutput(output, [section, name, 'output'], read),
    ])
    return [name, { ...agent, ...(told && { instructions: told }), ...(schema && { output: schema }) }] as const
  })
  return Object.fromEntries(await Promise.all(entries))
}

async function inlineInstructions(
  instructions: InstructionsData,
  key: KeyPath,
  read: FileReader,
): Promise<InstructionsData> {
  if (!Array.isArray(instructions)) return inlinePart(instructions, key, read)
  return Promise.all(instructions.map((part, index) => inlinePart(part, [...key, index], read)))
}

async function inlinePart(part: InstructionPart, key: KeyPath, read: FileReader): Promise<InstructionPart> {
  if (typeof part === 'string' || 'text' in part || 'template' in part) return part
  if ('file' in part) {
    const { file, ...rest } = part
    return { ...rest, text: (await read.text(file, [...key, 'file'])) ?? '' }
  }
  const { templateFile, ...rest } = part
  return { ...rest, template: (await read.text(templateFile, [...key, 'templateFile'])) ?? '' }
}

type OutputData = NonNullable<ProfileData['output']>

async function inlineOutput(output: OutputData, key: KeyPath, read: FileReader): Promise<OutputData> {
  if ('schema' in output) return output
  const { file, ...rest } = output
  return { ...rest, schema: (await read.object(file, [...key, 'file'])) ?? {} }
}
