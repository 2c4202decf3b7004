import { type TestServer, workOff } from '../testing.ts'
import { foldResults } from './fold.ts'

export const foldAllResults = (server: TestServer) =>
  workOff(server, ['result_change', 'result_delta'], () => foldResults(server.appDb, 50))
