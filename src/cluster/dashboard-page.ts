import type { OwnRequest, OwnResponse } from '../server/http/own-paths.ts'

/** The dashboard, as the command hands it to a server. */
export interface DashboardPage {
  /** With index.html, app.js, app.css and worker.js. */
  readonly folder: URL
  /** Saves reports and simulates changes. */
  handleOwnPath(request: OwnRequest): Promise<OwnResponse | undefined>
}
