export { loadSkills, type SkillSet } from './load-skills.ts'
export type { Skill } from './parse-skill.ts'
