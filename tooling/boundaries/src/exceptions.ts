import type { Rule } from './violation.ts'

/**
 * A file in which one rule does not apply, and the reason. An exception that no longer prevents a report is itself a
 * violation.
 */
export interface Exception {
  readonly rule: Rule
  /** Path from the root of the repository. */
  readonly file: string
  readonly reason: string
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'ambient',
    file: 'packages/core/src/async/clock.ts',
    reason: 'This file defines the clock that all other code receives as an option.',
  },
  {
    rule: 'ambient',
    file: 'packages/create-parley/templates/chat/src/main.ts',
    reason: 'This file is the program of a new project.',
  },
  {
    rule: 'ambient',
    file: 'packages/create-parley/templates/mcp/src/main.ts',
    reason: 'This file is the program of a new project.',
  },
  {
    rule: 'kept-alive',
    file: 'apps/server/src/create-server-app.ts',
    reason: 'One object for each server.',
  },
  {
    rule: 'kept-alive',
    file: 'packages/engine/src/agent/instructions/instructions.ts',
    reason: 'One object for each agent.',
  },
  {
    rule: 'kept-alive',
    file: 'packages/engine/src/runtime/follow-run.ts',
    reason: 'One object for each run of another process that a program follows, which is rare.',
  },
  {
    rule: 'kept-alive',
    file: 'packages/engine/src/steps/context/open-compaction.ts',
    reason: 'One object for each compaction, which is rare.',
  },
  {
    rule: 'arrow',
    file: 'apps/cli/src/commands/serve.ts',
    reason: 'This command starts the server app.',
  },
  {
    rule: 'arrow',
    file: 'apps/cli/src/commands/studio.ts',
    reason: 'This command starts the server app with the page of the studio.',
  },
  {
    rule: 'arrow',
    file: 'apps/studio/demo/run-studio.ts',
    reason: 'The demo of the studio starts the server app.',
  },
  {
    rule: 'arrow',
    file: 'apps/studio/examples/own-server.example.ts',
    reason: 'The example shows how a server of the user takes the page of the studio.',
  },
  {
    rule: 'arrow',
    file: 'apps/studio/src/__fixtures__/open-studio.ts',
    reason: 'The tests of the studio start the server app that serves the page.',
  },
  {
    rule: 'deep-import',
    file: 'tooling/crash-matrix/src/chaos/open-database.ts',
    reason: 'It starts and crashes the same server as the tests of the PostgreSQL store, which publish no fixtures.',
  },
]
