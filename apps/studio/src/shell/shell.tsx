import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { approvalsQuery, infoQuery } from '../client/queries.ts'
import { statusOf } from '../client/status-of.ts'
import { Fault } from '../elements/fault.tsx'
import { KeyQuestion } from './key-question.tsx'
import { PLACES } from './places.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** The frame around every page: navigation, and the question for a key. */
export function Shell() {
  const info = useQuery(infoQuery)
  if (statusOf(info.error) === 401) return <KeyQuestion />
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <nav className="side" aria-label="Studio">
        <Link to="/" className="brand">
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width={24} height={24} />
          Parley
        </Link>
        {PLACES.map(({ heading, places }) => (
          <div key={heading}>
            <h3>{heading}</h3>
            <ul>
              {places.map(({ to, name }) => (
                <li key={to}>
                  <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                    <span>{name}</span>
                    {to === '/approvals' ? <Pending /> : null}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <footer>
          {info.data === undefined ? null : (
            <span className="small quiet">
              {info.data.client} · {info.data.access} · {info.data.scope}
            </span>
          )}
          <ThemeChoice />
        </footer>
      </nav>
      <main className="main" id="main" tabIndex={-1}>
        {info.error === null ? (
          <Suspense fallback={<p className="loading">Loading …</p>}>
            <Outlet />
          </Suspense>
        ) : (
          <div className="page">
            <Fault error={info.error} retry={() => void info.refetch()} />
          </div>
        )}
      </main>
    </div>
  )
}

function Pending() {
  const { data } = useQuery(approvalsQuery)
  const count = data?.approvals.length ?? 0
  if (count === 0) return null
  return (
    <span className="count">
      {count}
      <span className="hidden-label"> pending</span>
    </span>
  )
}
