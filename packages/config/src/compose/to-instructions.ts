import type { SystemPart } from '@parley/core'
import type { Instructions, InstructionsFunction, PromptTemplate } from '@parley/engine'
import type { InstructionPart, InstructionsData } from '../schema/instructions-schema.ts'

/**
 * Converts the instructions of a configuration to those of an agent.
 * @param unread Called with each file that `loadConfig` has not read.
 */
export function toInstructions(
  instructions: InstructionsData,
  unread: (file: string) => void,
): Exclude<Instructions, InstructionsFunction> {
  const toPart = (part: InstructionPart): SystemPart | PromptTemplate => {
    if (typeof part === 'string') return { text: part }
    if ('text' in part || 'template' in part) return part
    unread('file' in part ? part.file : part.templateFile)
    return { text: '' }
  }
  if (typeof instructions === 'string') return instructions
  return Array.isArray(instructions) ? instructions.map(toPart) : [toPart(instructions)]
}
