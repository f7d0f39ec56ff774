import { expect, it } from 'vitest'
import { findSubjectFault } from './find-subject-fault.ts'

it.each([
  'refuses a budget of zero',
  'is cancelled with its parent run',
  'keeps the order',
  'Returns undefined',
  'has one result for each call',
  'can be closed twice',
  'cannot be closed twice',
  'must end',
  "doesn't start",
  'goes to the next step',
  'never asks twice',
  'no longer reads the inbox',
  'also refuses a list',
  'calls the tool once',
  'calls XXXX',
  'runs the steps in order',
  'streams reasoning, then text',
  'answers with text',
  'lists by session',
  'names the line of a specifier',
  'echoes the text',
  'percent-encodes its input',
  'neither loses an entry',
  'refuse a list',
  'keep their order',
  'change how the model answers',
  '24c: kills the worker',
])('findSubjectFault reports that "%s" has no subject', name => {
  expect(findSubjectFault(name)).toBe('subject')
})

it.each([
  'when the run ends',
  'when killed, resumes',
  'if a limit is reached the run ends',
  'after a crash, goes to the next step',
  'without an argument shows the help',
  'before it ends',
  'of tokens are shared',
  'in the chat API',
])('findSubjectFault reports that "%s" begins with a condition', name => {
  expect(findSubjectFault(name)).toBe('clause')
})

it.each(['that fails is reported', 'which fails', 'whose model fails', 'and stops', 'but keeps the rest'])(
  'findSubjectFault reports that "%s" continues another sentence',
  name => {
    expect(findSubjectFault(name)).toBe('continuation')
  },
)

it.each([
  'the store rejects a list',
  'a run that is suspended keeps its place',
  'XXXXXXXX rejects a list',
  'tokenBudget rejects a budget of zero or less with config-invalid',
  'createServer returns a server',
  'calls of one answer run concurrently',
  'runs that wait for approval have no driver',
  'results are recorded once',
  'answers that were truncated are continued',
  'tools in a handoff keep their names',
  'requests without a body get status 400',
  'events of a run',
  'names are unique',
  'messages received during a step join the next turn',
  'tools and agents share one name space',
  'each call has one result',
  'both stores reject a stale append',
  'only the owner reads the file',
  'no model is called twice',
  'nothing is written after the end',
  'when the run ends, its lease is released',
  'after a crash, another worker resumes the run',
  'with two workers, each run has one driver',
  'process exits are reported',
  'status 429 is retried',
  'access tokens are renewed',
  'basis of the cost is the price table',
  'what a tool writes to stderr is logged',
  'whether a call repeats is stored with it',
  'close ends the stream',
  'it resumes',
  'open files are closed',
  '9a: a run resumes after a crash',
])('findSubjectFault accepts "%s"', name => {
  expect(findSubjectFault(name)).toBeUndefined()
})
