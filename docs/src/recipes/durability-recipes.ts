import type { Recipe } from './recipe.ts'

export const DURABILITY_RECIPES: readonly Recipe[] = [
  {
    slug: 'crash-and-resume',
    title: 'Resume after a crash without paying twice',
    text: 'A process is killed with SIGKILL while an agent works. Another process resumes the run from its journal. The finished payment is not repeated.',
    example: 'examples/crash-and-resume/crash-and-resume.example.ts',
    more: ['[effects and resume](../concepts/effects.md)', '[SQLite](../operate/sqlite.md)'],
  },
  {
    slug: 'approval',
    title: 'Ask before a tool runs, and decide in another process',
    text: 'A call with the permission `ask` suspends the run in its store. The first process ends; the second one decides and pays.',
    example: 'examples/support-bot/support-bot.example.ts',
    more: ['[approvals](../concepts/approvals.md)'],
  },
  {
    slug: 'client-tool',
    title: 'A tool that the client executes',
    text: 'A tool without `execute` suspends the run until a result arrives, in any process.',
    example: 'examples/client-tools/two-processes.example.ts',
    more: ['[engine](../guides/engine.md)', '[useChat](../connect/use-chat.md)'],
  },
  {
    slug: 'workflow-with-approval',
    title: 'A workflow with an approval',
    text: 'A workflow is data: steps, conditions and approvals. It waits for the editor as long as its store exists.',
    example: 'packages/workflow/examples/newsletter.example.ts',
    regions: ['workflow'],
    more: ['[workflows](../guides/workflow.md)'],
  },
  {
    slug: 'interrupted-workflow',
    title: 'Resume a workflow of a file',
    text: 'A workflow from a JSON file is interrupted. Another process resumes it, and finished steps do not run again.',
    example: 'examples/durable-workflow/durable-workflow.example.ts',
    more: ['[workflows](../guides/workflow.md)'],
  },
  {
    slug: 'time-travel',
    title: 'Replay a run and branch from the middle of it',
    text: '`replay` reads a journal without calling a model or a tool. `fork` starts a run from any entry of another run.',
    example: 'examples/time-travel/time-travel.example.ts',
    more: ['[the journal](../concepts/journal.md)'],
  },
  {
    slug: 'steer',
    title: 'Send a message to a run of another process',
    text: '`steer` reaches a run by its id, whichever process drives it. The model reads the message before its next answer.',
    example: 'packages/engine/examples/steer-from-elsewhere.example.ts',
    more: ['[engine](../guides/engine.md)'],
  },
]
