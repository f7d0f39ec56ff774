import type { UserPart } from '@parley/core'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../../elements/button.tsx'
import { readAttachment } from './read-attachment.ts'

export interface ComposerProps {
  readonly isBusy: boolean
  readonly verb: string
  readonly send: (parts: readonly UserPart[]) => void
  /** Text to begin with. @default '' */
  readonly text?: string | undefined
  /** Ends what is being written. */
  readonly cancel?: (() => void) | undefined
}

/** Writes a message: text and files. Enter sends, Shift and Enter begins a new line. */
export function Composer({ isBusy, verb, send, text: given = '', cancel }: ComposerProps) {
  const [text, setText] = useState(given)
  const [files, setFiles] = useState<readonly File[]>([])
  const [fault, setFault] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const chosen = useRef<HTMLInputElement>(null)
  const isEmpty = text.trim() === '' && files.length === 0

  const submit = async (): Promise<void> => {
    if (isEmpty || isBusy) return
    try {
      const attachments = await Promise.all(files.map(readAttachment))
      send([...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...attachments])
      setText('')
      setFiles([])
      if (chosen.current !== null) chosen.current.value = ''
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error))
    }
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }
  return (
    <form
      ref={form}
      className="composer card"
      onSubmit={event => {
        event.preventDefault()
        setFault(undefined)
        void submit()
      }}
    >
      <textarea
        aria-label="Message"
        rows={2}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={onKeyDown}
        placeholder="Write a message"
      />
      {fault === undefined ? null : <p role="alert">{fault}</p>}
      <div className="row spread">
        <label className="row small">
          <span className="hidden-label">Attach files</span>
          <input ref={chosen} type="file" multiple onChange={event => setFiles([...(event.target.files ?? [])])} />
        </label>
        <div className="row">
          {cancel === undefined ? null : <Button onPress={cancel}>Close</Button>}
          <Button kind="first" type="submit" isDisabled={isEmpty || isBusy}>
            {verb}
          </Button>
        </div>
      </div>
    </form>
  )
}
