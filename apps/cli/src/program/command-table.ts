import type { Command } from 'commander'
import type { Terminal } from '../render/terminal.ts'

/** A command whose module is imported only when the command is used, so that other commands start without it. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** Whether the help leaves it out. @default false */
  readonly hidden?: boolean | undefined
  /** Why the command refuses `--server`. @default none: the command accepts the option, or does not have it */
  readonly unserved?: string | undefined
  /** Imports the function that adds the arguments, the options and the action. */
  readonly load: () => Promise<(command: Command, terminal: Terminal) => void>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'ask an agent one question',
    load: async () => (await import('../commands/run.ts')).defineRunCommand,
  },
  {
    name: 'chat',
    summary: 'chat with an agent',
    load: async () => (await import('../commands/chat.ts')).defineChatCommand,
  },
  {
    name: 'trace',
    summary: 'print the journal of a run',
    load: async () => (await import('../commands/trace.ts')).defineTraceCommand,
  },
  {
    name: 'resume',
    summary: 'resume an interrupted run',
    load: async () => (await import('../commands/resume.ts')).defineResumeCommand,
  },
  {
    name: 'approve',
    summary: 'approve or reject a pending tool call, or escalate it',
    load: async () => (await import('../commands/approve/approve.ts')).defineApproveCommand,
  },
  {
    name: 'submit',
    summary: 'give a run the result of a tool that a client executes',
    load: async () => (await import('../commands/submit.ts')).defineSubmitCommand,
  },
  {
    name: 'steer',
    summary: 'send a message to a run of any process',
    load: async () => (await import('../commands/steer.ts')).defineSteerCommand,
  },
  {
    name: 'cancel',
    summary: 'cancel a run of any process',
    load: async () => (await import('../commands/cancel.ts')).defineCancelCommand,
  },
  {
    name: 'runs',
    summary: 'list runs, newest first',
    load: async () => (await import('../commands/runs.ts')).defineRunsCommand,
  },
  {
    name: 'bisect',
    summary: 'find the commit that changed what an agent does',
    unserved: 'the commits and the database must be on this machine',
    load: async () => (await import('../commands/bisect/bisect.ts')).defineBisectCommand,
  },
  {
    name: 'sessions',
    summary: 'list sessions, or print the messages of one',
    load: async () => (await import('../commands/sessions.ts')).defineSessionsCommand,
  },
  {
    name: 'fork',
    summary: 'start a branch from any entry of a run',
    load: async () => (await import('../commands/fork.ts')).defineForkCommand,
  },
  {
    name: 'compact',
    summary: 'summarize a session, so that less is sent to the model',
    load: async () => (await import('../commands/compact.ts')).defineCompactCommand,
  },
  {
    name: 'gc',
    summary: 'remove old runs',
    unserved: 'the server has no route that removes runs by their age',
    load: async () => (await import('../commands/gc.ts')).defineGcCommand,
  },
  {
    name: 'serve',
    summary: 'serve the agent over HTTP',
    load: async () => (await import('../commands/serve.ts')).defineServeCommand,
  },
  {
    name: 'studio',
    summary: 'open a web page that shows every run',
    unserved: 'a server has its own page at /studio/ if it was started with `parley serve --studio`',
    load: async () => (await import('../commands/studio.ts')).defineStudioCommand,
  },
  {
    name: 'backup',
    summary: 'copy the SQLite database while it is in use',
    unserved: 'the server has no route that copies its database',
    load: async () => (await import('../commands/backup.ts')).defineBackupCommand,
  },
  {
    name: 'doctor',
    summary: 'check the setup',
    load: async () => (await import('../commands/doctor/doctor.ts')).defineDoctorCommand,
  },
  {
    name: 'bench',
    summary: 'measure what the database carries on this machine',
    unserved: 'it measures the database of this process',
    load: async () => (await import('../commands/bench/bench.ts')).defineBenchCommand,
  },
  {
    name: 'docs',
    summary: 'read the documentation, or serve it to a coding agent',
    load: async () => (await import('../commands/docs.ts')).defineDocsCommand,
  },
  {
    name: 'mcp',
    summary: 'use MCP servers, or serve the agent as one',
    load: async () => (await import('../commands/mcp/mcp.ts')).defineMcpCommand,
  },
  {
    name: 'prompty',
    summary: 'render and check .prompty files',
    load: async () => (await import('../commands/prompty.ts')).definePromptyCommand,
  },
  {
    name: 'workflow',
    summary: 'run, save and list workflows',
    load: async () => (await import('../commands/workflow/workflow.ts')).defineWorkflowCommand,
  },
  {
    name: 'eval',
    summary: 'run evals: cases, an agent that answers them, and scores',
    unserved: 'evals run in this process; the files that define them may use a remote agent',
    load: async () => (await import('../commands/eval/eval.ts')).defineEvalCommand,
  },
  {
    name: 'backtest',
    summary: 'repeat recorded runs with another model or other instructions',
    unserved: 'the server has no route for journals',
    load: async () => (await import('../commands/backtest/backtest.ts')).defineBacktestCommand,
  },
  {
    name: 'crash-test',
    summary: 'kill your agents at every step, and see which tools repeat or lose what they do',
    unserved: 'the agents of a module run in processes of this machine',
    load: async () => (await import('../commands/crash-test/crash-test.ts')).defineCrashTestCommand,
  },
  {
    name: 'completion',
    summary: 'print the script that completes this command in a shell',
    load: async () => (await import('../commands/completion.ts')).defineCompletionCommand,
  },
  {
    name: 'complete',
    summary: 'list the words that may come next; the scripts of `completion` call it',
    hidden: true,
    load: async () => (await import('../commands/complete.ts')).defineCompleteCommand,
  },
  {
    name: 'init',
    summary: 'add an agent to an existing project',
    load: async () => (await import('../commands/init.ts')).defineInitCommand,
  },
  {
    name: 'config',
    summary: 'check configuration files',
    load: async () => (await import('../commands/config.ts')).defineConfigCommand,
  },
]
