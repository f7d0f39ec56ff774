import type { Entry, UserPart } from '@parley/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { LiveAnswer } from '../../client/run-feed.ts'
import { Empty } from '../../elements/empty.tsx'
import { JsonView } from '../../elements/json.tsx'
import { MarkdownText } from '../../elements/markdown.tsx'
import { toConversation, type Block } from '../../run-model/conversation.ts'
import { CallBlock } from './call-block.tsx'
import { FileView } from './file-view.tsx'

export interface ConversationViewProps {
  /** Blocks before those of the run, for example of the runs that it continues. */
  readonly before?: readonly Block[] | undefined
  readonly entries: readonly Entry[]
  readonly live?: LiveAnswer | undefined
  readonly progress: ReadonlyMap<string, string>
  readonly chosen?: number | undefined
  readonly choose?: ((seq: number) => void) | undefined
  /** Buttons for a block. */
  readonly actions?: ((block: Block) => ReactNode) | undefined
  /** Whether the end stays in view while the conversation grows. @default false */
  readonly isFollowed?: boolean | undefined
  /** Whether entries are still arriving. @default false */
  readonly isLoading?: boolean | undefined
}

/** A run as a reader sees it: messages, answers, tool calls with their results. */
export function ConversationView(props: ConversationViewProps) {
  const {
    before = NONE,
    entries,
    live,
    progress,
    chosen,
    choose,
    actions,
    isFollowed = false,
    isLoading = false,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const blocks = useMemo(() => [...before, ...toConversation(entries)], [before, entries])
  const list = useVirtualizer({
    count: blocks.length + (live === undefined ? 0 : 1),
    getScrollElement: () => scroller.current,
    estimateSize: () => 120,
    overscan: 6,
  })
  const height = list.getTotalSize()
  useEffect(() => {
    if (isFollowed) scroller.current?.scrollTo({ top: height })
  }, [isFollowed, height])
  if (blocks.length === 0 && live === undefined) {
    if (isLoading) return <p className="quiet">Loading …</p>
    return <Empty title="Nothing has been said yet">The first message appears here.</Empty>
  }
  return (
    <div ref={scroller} className="conversation" tabIndex={0} role="log" aria-label="Conversation">
      <div className="grid-body" style={{ height }}>
        {list.getVirtualItems().map(({ index, start, key }) => {
          const block = blocks[index]
          return (
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              className="block"
              data-chosen={block !== undefined && block.seq === chosen ? '' : undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              {block === undefined ? <LiveBlock live={live} /> : <BlockView {...{ block, progress, choose }} />}
              {block === undefined ? null : actions?.(block)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const NONE: readonly Block[] = []

interface BlockViewProps {
  readonly block: Block
  readonly progress: ReadonlyMap<string, string>
  readonly choose?: ((seq: number) => void) | undefined
}

function BlockView({ block, progress, choose }: BlockViewProps) {
  const { seq } = block
  if (block.kind === 'note') {
    return (
      <p className="note" data-tone={block.tone}>
        {block.text} <SeqButton seq={seq} choose={choose} />
      </p>
    )
  }
  if (block.kind === 'output') {
    return (
      <section className="answer" aria-label="Structured output">
        <h2 className="who">Structured output</h2>
        <JsonView value={block.value} name="Structured output" />
      </section>
    )
  }
  const who = block.kind === 'user' ? (block.source === 'input' ? 'User' : `User (${block.source})`) : 'Assistant'
  return (
    <article className={block.kind} aria-label={who}>
      <h2 className="who row spread">
        <span>{who}</span>
        <SeqButton seq={seq} choose={choose} />
      </h2>
      {block.kind === 'user' ? (
        <Parts parts={block.message.content} />
      ) : (
        block.message.content.map((part, index) => {
          const key = `${part.type}-${index}`
          if (part.type === 'text') return <MarkdownText key={key} text={part.text} />
          if (part.type === 'reasoning') return <Reasoning key={key} text={part.text} />
          if (part.type === 'file') return <FileView key={key} file={part} />
          if (part.type === 'opaque')
            return (
              <p key={key} className="quiet small">
                A block of the provider {part.providerData.provider}
              </p>
            )
          const view = block.calls.find(call => call.call.callId === part.callId)
          return (
            <CallBlock key={key} view={view ?? { call: part }} progress={progress.get(part.callId)} choose={choose} />
          )
        })
      )}
    </article>
  )
}

function SeqButton({ seq, choose }: { readonly seq: number; readonly choose?: ((seq: number) => void) | undefined }) {
  if (choose === undefined) return null
  return (
    <button type="button" className="seq" onClick={() => choose(seq)} aria-label={`Show entry ${seq}`}>
      #{seq}
    </button>
  )
}

function Parts({ parts }: { readonly parts: readonly UserPart[] }) {
  return parts.map((part, index) => {
    const key = `${part.type}-${index}`
    return part.type === 'text' ? (
      <p key={key} className="plain-text">
        {part.text}
      </p>
    ) : (
      <FileView key={key} file={part} />
    )
  })
}

function Reasoning({ text }: { readonly text: string }) {
  if (text === '') return <p className="quiet small">Reasoning that the provider does not show</p>
  return (
    <details className="reasoning">
      <summary>Reasoning</summary>
      <p className="plain-text">{text}</p>
    </details>
  )
}

function LiveBlock({ live }: { readonly live: LiveAnswer | undefined }) {
  if (live === undefined) return null
  return (
    <article className="answer" aria-label="Assistant, at work" aria-busy="true">
      <h2 className="who">Assistant</h2>
      {live.retry === undefined ? null : <p className="note">The model is asked again: {live.retry.code}</p>}
      {live.reasoning === '' ? null : <Reasoning text={live.reasoning} />}
      {live.text === '' ? null : <MarkdownText text={live.text} />}
      {live.calls.map(call => (
        <pre key={call.callId} className="call-head mono">
          {call.name} {call.arguments}
        </pre>
      ))}
      {live.text === '' && live.calls.length === 0 ? <p className="quiet">Thinking …</p> : null}
    </article>
  )
}
