import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { agentsQuery } from '../../client/queries.ts'
import { PERIODS, STATUSES, type RunListView } from './run-filters.ts'

/** The filters above the list of runs. Each change changes the address of the page. */
export function FilterBar({ view }: { readonly view: RunListView }) {
  const navigate = useNavigate()
  const agents = useQuery(agentsQuery)
  const change = (changes: Partial<RunListView>): void => {
    void navigate({ to: '/', search: { ...view, ...changes }, replace: true })
  }
  const names = new Set([
    ...(agents.data ?? []).map(agent => agent.name),
    ...(view.agent === undefined ? [] : [view.agent]),
  ])
  return (
    <form className="filters" role="search" aria-label="Filters" onSubmit={event => event.preventDefault()}>
      <TextFilter label="Words of the input" value={view.text} change={text => change({ text })} isWide />
      <Choice label="Status" value={view.status} options={STATUSES} change={status => change({ status })} />
      <Choice label="Agent" value={view.agent} options={[...names]} change={agent => change({ agent })} />
      <Choice
        label="Started within"
        value={view.since}
        options={Object.keys(PERIODS) as (keyof typeof PERIODS)[]}
        change={since => change({ since })}
      />
      <TextFilter label="Session" value={view.session} change={session => change({ session })} />
      <label className="row">
        <input
          type="checkbox"
          checked={view.children ?? false}
          onChange={event => change({ children: event.target.checked ? true : undefined })}
        />
        Child runs
      </label>
    </form>
  )
}

interface ChoiceProps<TValue extends string> {
  readonly label: string
  readonly value: TValue | undefined
  readonly options: readonly TValue[]
  readonly change: (value: TValue | undefined) => void
}

function Choice<TValue extends string>({ label, value, options, change }: ChoiceProps<TValue>) {
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select
        value={value ?? ''}
        onChange={event => change(event.target.value === '' ? undefined : (event.target.value as TValue))}
      >
        <option value="">any</option>
        {options.map(option => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  )
}

interface TextFilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly change: (value: string | undefined) => void
  readonly isWide?: boolean | undefined
}

/** Milliseconds after the last key before the list is asked for. */
const TYPING = 250

function TextFilter({ label, value = '', change, isWide = false }: TextFilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => change(text === '' ? undefined : text), TYPING)
    return () => clearTimeout(timer)
  })
  return (
    <label className={isWide ? 'field wide' : 'field'}>
      <span className="label">{label}</span>
      <input type="search" value={text} onChange={event => setText(event.target.value)} />
    </label>
  )
}
