import type { Entry } from '@parley/core'
import { useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { Button } from '../../elements/button.tsx'
import { Facts } from '../../elements/facts.tsx'
import { JsonView } from '../../elements/json.tsx'
import { entrySentence } from '../../run-model/entry-sentence.ts'
import { RequestPanel } from './request-panel.tsx'
import { ForkDialog } from './verbs/fork-dialog.tsx'

export interface EntryInspectorProps {
  readonly runId: string
  readonly entry: Entry
  /** Turns whose request the journal keeps. */
  readonly requests: readonly number[]
  readonly canChange: boolean
  readonly replayTo: (seq: number) => void
  readonly close: () => void
}

/** One entry: what it says, the whole of it, the request behind it, and what can be done from here. */
export function EntryInspector({ runId, entry, requests, canChange, replayTo, close }: EntryInspectorProps) {
  const [isForking, setForking] = useState(false)
  const turn = 'turn' in entry ? entry.turn : undefined
  return (
    <section className="inspector card" aria-label={`Entry ${entry.seq}`}>
      <div className="row spread">
        <h2>
          #{entry.seq} <span className="mono">{entry.type}</span>
        </h2>
        <Button kind="bare" onPress={close} name="Close the entry">
          ×
        </Button>
      </div>
      <p className="quiet wrap">{entrySentence(entry)}</p>
      <Facts
        facts={[
          ['Time', new Date(entry.at).toLocaleString()],
          ['Turn', turn],
        ]}
      />
      <div className="row">
        <Button onPress={() => replayTo(entry.seq)}>Replay up to here</Button>
        {canChange ? <Button onPress={() => setForking(true)}>Fork from here</Button> : null}
      </div>
      <Tabs>
        <TabList className="tabs" aria-label="Entry">
          <Tab id="raw">Raw entry</Tab>
          {turn === undefined ? null : <Tab id="request">Request</Tab>}
        </TabList>
        <TabPanel id="raw">
          <JsonView value={entry} name={`Entry ${entry.seq}`} />
        </TabPanel>
        {turn === undefined ? null : (
          <TabPanel id="request">
            <RequestPanel runId={runId} turn={turn} isKept={requests.includes(turn)} />
          </TabPanel>
        )}
      </Tabs>
      {isForking ? <ForkDialog runId={runId} entry={entry} onClose={() => setForking(false)} /> : null}
    </section>
  )
}
