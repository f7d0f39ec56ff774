import { join } from 'node:path'
import type { SystemPart } from '@parley/core'
import type { Skill } from './parse-skill.ts'

const HOW_TO =
  "Skills are folders of instructions for particular tasks. When a task fits a skill's description, read the skill with " +
  'the tool read_skill before you begin, and follow it. Paths in a skill are relative to its folder, which it may ' +
  'also call {baseDir}.'

/** Builds the part of the instructions that tells a model which skills exist. */
export function skillInstructions(skills: readonly Skill[]): SystemPart {
  const entries = skills.map(({ name, description, directory }) =>
    [
      '<skill>',
      `<name>${escape(name)}</name>`,
      `<description>${escape(description)}</description>`,
      `<location>${escape(join(directory, 'SKILL.md'))}</location>`,
      '</skill>',
    ].join('\n'),
  )
  return { text: [HOW_TO, '<available_skills>', ...entries, '</available_skills>'].join('\n') }
}

/** Escapes markup, so that a description cannot end its element or begin another one. */
function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
