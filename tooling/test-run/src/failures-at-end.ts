import { DefaultReporter } from 'vitest/node'

/** Prints each failure whole when the run has ended, and nothing about files before. */
export class FailuresAtEnd extends DefaultReporter {
  constructor() {
    super({ summary: false, silent: 'passed-only' })
  }

  override printTestModule(): void {}
}
