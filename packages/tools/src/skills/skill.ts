/** A folder with instructions for one kind of task, by the AgentSkills format: a `SKILL.md` and the files it speaks of. */
export interface Skill {
  /** Lower-case letters, digits and single hyphens, at most 64 characters. */
  readonly name: string
  /** What it does and when to use it, at most 1,024 characters. */
  readonly description: string
  /** The real, absolute path of its folder. */
  readonly directory: string
}
