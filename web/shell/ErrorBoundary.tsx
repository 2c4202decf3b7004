import { QueryClientContext } from '@tanstack/react-query'
import { Component, type ContextType, type ErrorInfo, type ReactNode } from 'react'
import { ErrorScreen } from './ErrorScreen.tsx'

interface State {
  error: Error | undefined
}

/** Catches what a screen throws while it renders; the header and the sidebar stay usable. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  static override contextType = QueryClientContext
  declare context: ContextType<typeof QueryClientContext>
  override state: State = { error: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override render() {
    if (!this.state.error) return this.props.children
    return <ErrorScreen error={this.state.error} onRetry={() => this.retry()} />
  }

  /** Clears the cache: the screen may have failed on malformed data. */
  private retry() {
    this.context?.removeQueries()
    this.setState({ error: undefined })
  }
}
