import { createHash } from 'node:crypto'
import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readFileTimes, secondsOf, type FileTimes } from './file-times.ts'

const ROOT = path.join(import.meta.dirname, '../../..')

/**
 * Orders the files of each project so that the long ones come first: a long file that starts last keeps one core busy while the
 * others are idle. With `--sequence.shuffle` the seed decides instead.
 */
export class LongFilesFirst extends BaseSequencer {
  protected readonly times: FileTimes = readFileTimes()

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = this.#ranking()
    // The order of projects stays: a worker keeps its modules only for the next file of the same project.
    return [...new Set(sorted.map(({ project }) => project))].flatMap(project =>
      sorted.filter(file => file.project === project).toSorted((a, b) => rank(a) - rank(b)),
    )
  }

  #ranking(): (file: TestSpecification) => number {
    const { shuffle, seed } = this.ctx.config.sequence
    if (shuffle) return ({ moduleId }) => createHash('sha1').update(`${seed} ${moduleId}`).digest().readUInt32BE()
    const times = this.times
    return ({ moduleId }) => -secondsOf(times, path.relative(ROOT, moduleId).replaceAll(path.sep, '/'))
  }
}
