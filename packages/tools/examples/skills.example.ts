import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const project = await mkdtemp(join(tmpdir(), 'parley-'))
await mkdir(join(project, 'skills/release-notes'), { recursive: true })
await writeFile(
  join(project, 'skills/release-notes/SKILL.md'),
  '---\nname: release-notes\ndescription: Writes release notes. Use it to announce a version.\n---\n\nBegin with what breaks.\n',
)
// #region skills
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing' // or: createOpenAI().model('gpt-5-mini') from '@parley/openai'
import { loadSkills } from '@parley/tools/skills'

const { skills, instructions, tools } = await loadSkills([join(project, 'skills')]) // later directories override earlier ones
console.log(skills.map(skill => skill.name).join(', ')) // → release-notes

const model = scriptedModel([
  { toolCalls: [{ name: 'read_skill', input: { name: 'release-notes' } }] },
  'Breaking: `run` is asynchronous.',
])
const agent = defineAgent({ name: 'writer', model, tools, instructions: [{ text: 'Be brief.' }, ...instructions] })
const { text } = await createRuntime({ agents: [agent] }).invoke('writer', 'Announce 2.0.')
console.log(text) // → Breaking: `run` is asynchronous.
// #endregion skills
