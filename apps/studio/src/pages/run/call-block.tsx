import { Link } from '@tanstack/react-router'
import { Diff } from '../../elements/diff.tsx'
import { JsonView } from '../../elements/json.tsx'
import type { CallView } from '../../run-model/conversation.ts'
import { FileView } from './file-view.tsx'

export interface CallBlockProps {
  readonly view: CallView
  readonly progress?: string | undefined
  readonly choose?: ((seq: number) => void) | undefined
}

/** A tool call: its arguments, its approval, and its result. */
export function CallBlock({ view, progress, choose }: CallBlockProps) {
  const { call, result, error, approval, decision, childRunId, effect, attempt = 1 } = view
  const seq = view.endedSeq ?? view.startedSeq
  return (
    <details className="call" data-state={stateOf(view)} open={result === undefined || error !== undefined}>
      <summary>
        <span className="mono">{call.name}</span> <span className="quiet small">{wordOf(view)}</span>
      </summary>
      <div className="stack">
        {effect === undefined ? null : (
          <p className="small quiet">
            Effect {effect}
            {attempt > 1 ? `, attempt ${attempt}` : ''}
            {seq === undefined || choose === undefined ? null : (
              <button type="button" className="seq" onClick={() => choose(seq)} aria-label={`Show entry ${seq}`}>
                #{seq}
              </button>
            )}
          </p>
        )}
        <JsonView value={pretty(call.arguments)} name={`Arguments of ${call.name}`} />
        {approval === undefined ? null : (
          <p>
            <strong>Approval:</strong> {approval.prompt} {decision === undefined ? <em>pending</em> : decision.type}
            {decision?.type === 'rejected' ? ` (${decision.reason})` : ''}
          </p>
        )}
        {decision?.type === 'modified' ? (
          <Diff
            name="Changes of the arguments"
            before={pretty(call.arguments)}
            after={JSON.stringify(decision.input, undefined, 2)}
          />
        ) : null}
        {childRunId === undefined ? null : (
          <Link to="/runs/$runId" params={{ runId: childRunId }}>
            Open the child run
          </Link>
        )}
        {progress === undefined || result !== undefined ? null : <p className="quiet">{progress}</p>}
        {result === undefined ? null : (
          <section aria-label={`Result of ${call.name}`} className="stack">
            <h3>{result.isError === true ? 'Error' : 'Result'}</h3>
            {result.content.map((part, index) => {
              const key = `${part.type}-${index}`
              if (part.type === 'file') return <FileView key={key} file={part} />
              return <JsonView key={key} value={pretty(part.text)} name={`Result of ${call.name}`} />
            })}
          </section>
        )}
      </div>
    </details>
  )
}

function stateOf({ result, error, approval, decision }: CallView): string {
  if (error !== undefined || result?.isError === true) return 'failed'
  if (result !== undefined) return 'ok'
  return approval !== undefined && decision === undefined ? 'waits' : 'open'
}

function wordOf(view: CallView): string {
  switch (stateOf(view)) {
    case 'failed':
      return view.error?.code ?? 'failed'
    case 'ok':
      return 'done'
    case 'waits':
      return 'waits for approval'
    default:
      return 'at work'
  }
}

/** Indents JSON. Another text stays as it is. */
function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
