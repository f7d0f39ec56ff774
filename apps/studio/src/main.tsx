import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './client/query-client.ts'
import { applyTheme, chosenTheme } from './shell/theme.ts'
import { router } from './router.tsx'
import './styles/studio.css'
import './styles/run.css'

applyTheme(chosenTheme())
const root = document.querySelector('#root')
if (root === null) throw new Error('the page has no element #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
