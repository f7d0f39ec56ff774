import type { SeededRuns } from './seed-demo.ts'

/** Each page: its address, and a text that it shows when it has loaded. */
export const STUDIO_PAGES: readonly (readonly [string, (runs: SeededRuns) => string, string])[] = [
  ['runs', () => '/', 'Charge Ann 20 euros for the train.'],
  ['timeline', runs => `/runs/${runs.overview}`, 'Cost so far'],
  ['conversation', runs => `/runs/${runs.calculated}?tab=conversation`, '12 * 34 = 408'],
  ['compacted conversation', runs => `/runs/${runs.compacted}?tab=conversation`, 'Context compacted'],
  ['entry', runs => `/runs/${runs.waiting}?tab=entries&seq=5`, 'Raw entry'],
  ['crashed run', runs => `/runs/${runs.crashed}`, 'no worker'],
  ['comparison', runs => `/compare?runs=${JSON.stringify([runs.waiting, runs.forked])}`, 'Repetition 1'],
  ['approvals', () => '/approvals', 'Pay this money back?'],
  ['play', () => '/play', 'Talk to assistant'],
  ['workflows', runs => `/workflows?run=${runs.report}`, 'findings'],
  ['spend', () => '/spend', 'archivist'],
  ['workers', () => '/workers', 'No process drives a run'],
  ['unknown calls', () => '/unknown-calls', 'charge_card'],
  ['dead letters', () => '/dead-letters', 'Every event was accepted'],
  ['health', () => '/health', 'Runs at work'],
  ['missing page', () => '/nowhere', 'No such page'],
]
