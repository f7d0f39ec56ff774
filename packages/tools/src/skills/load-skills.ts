import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ParleyError, type SystemPart, type Tool } from '@parley/core'
import { createWorkspace } from '../workspace/create-workspace.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { parseSkill, type Skill } from './parse-skill.ts'
import { readSkillTool } from './read-skill-tool.ts'
import { skillInstructions } from './skill-instructions.ts'

/** Skills, with the instructions and tools that an agent needs to use them. */
export interface SkillSet {
  /** The skills, sorted by name. */
  readonly skills: readonly Skill[]
  /** Part of the instructions that tells the model which skills exist. Empty without skills. */
  readonly instructions: readonly SystemPart[]
  /** The tool `read_skill`, which reads files inside the folders of the skills. Empty without skills. */
  readonly tools: readonly Tool[]
}

interface OpenSkill extends Skill {
  readonly workspace: Workspace
}

/** How many bytes of a `SKILL.md` are read for its frontmatter, which stands at the beginning and has a limited length. */
const MAX_FRONTMATTER_BYTES = 65_536

/**
 * Reads the skills of directories in the AgentSkills format: each folder that has a `SKILL.md`. A skill replaces one of the
 * same name in an earlier directory. Other folders and files are skipped. Later changes of a `SKILL.md`'s frontmatter have no
 * effect.
 * @throws ParleyError `config-invalid` if a directory cannot be read, a `SKILL.md` has invalid frontmatter, or two skills in
 * one directory have the same name.
 */
export async function loadSkills(directories: readonly string[]): Promise<SkillSet> {
  const byName = new Map<string, OpenSkill>()
  for (const directory of directories)
    for (const skill of await skillsIn(resolve(directory))) byName.set(skill.name, skill)
  const found = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const skills = found.map(({ name, description, directory }) => ({ name, description, directory }))
  if (skills.length === 0) return { skills, instructions: [], tools: [] }
  const folders = new Map(found.map(({ name, workspace }) => [name, workspace]))
  return { skills, instructions: [skillInstructions(skills)], tools: [readSkillTool(folders)] }
}

async function skillsIn(directory: string): Promise<readonly OpenSkill[]> {
  const skills: OpenSkill[] = []
  for (const folder of (await namesIn(directory)).toSorted()) {
    const path = join(directory, folder)
    if (!(await hasSkillFile(path))) continue
    const skill = await openSkill(path)
    const twin = skills.find(({ name }) => name === skill.name)
    if (twin !== undefined)
      refuse(join(path, 'SKILL.md'), `is named '${skill.name}', as is the skill in ${twin.directory}`)
    skills.push(skill)
  }
  return skills
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory)
  } catch (cause) {
    return refuse(directory, 'is not a readable directory of skills', cause)
  }
}

/** Returns whether a path is a folder with a `SKILL.md`. A file, or a folder that was just removed, has none. */
async function hasSkillFile(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).includes('SKILL.md')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOTDIR' || error.code === 'ENOENT')) return false
    return refuse(path, 'is a folder that cannot be read', error)
  }
}

async function openSkill(path: string): Promise<OpenSkill> {
  const file = join(path, 'SKILL.md')
  const workspace = createWorkspace({ roots: [path] })
  const parsed = parseSkill(await headOf(workspace, file))
  if (typeof parsed === 'string') refuse(file, parsed)
  const [directory = path] = workspace.roots
  return { ...parsed, directory, workspace }
}

async function headOf(workspace: Workspace, path: string): Promise<string> {
  try {
    await using file = await workspace.open('SKILL.md')
    const bytes = Buffer.alloc(Math.min(file.size, MAX_FRONTMATTER_BYTES))
    const { bytesRead } = await file.handle.read(bytes, 0, bytes.length, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } catch (cause) {
    return refuse(path, `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
}

function refuse(path: string, detail: string, cause?: unknown): never {
  throw new ParleyError({ code: 'config-invalid', path, detail }, { cause })
}
