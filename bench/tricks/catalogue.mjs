// Every performance trick in the sources. Each one makes code longer or less plain, so each one has to prove its use:
// `pnpm bench tricks` undoes it and measures that `metric` gets worse. README.md says how to add one.
import { channelTricks } from './channel-tricks.mjs'
import { engineTricks } from './engine-tricks.mjs'
import { memoryTricks } from './memory-tricks.mjs'
import { providerTricks } from './provider-tricks.mjs'
import { storeTricks } from './store-tricks.mjs'
import { workflowTricks } from './workflow-tricks.mjs'

/**
 * `undo` lists replacements in the sources. `from` must occur exactly once. `file` of a replacement is that of the trick
 * unless it names another one.
 */
export const TRICKS = [
  ...memoryTricks,
  ...engineTricks,
  ...channelTricks,
  ...providerTricks,
  ...storeTricks,
  ...workflowTricks,
].map(trick => ({ ...trick, undo: trick.undo.map(edit => ({ file: trick.file, ...edit })) }))
