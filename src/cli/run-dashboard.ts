// Runs `rollcall dashboard`.
import { randomBytes } from 'node:crypto'
import { realClock } from '../base/clock.ts'
import { startDashboardServer } from '../cluster/remote/dashboard-server.ts'
import { findConnection } from './cluster-connection.ts'
import type { DashboardOptions } from './dashboard.ts'
import { dashboardPage } from './dashboard-page.ts'

export async function runDashboard(options: DashboardOptions): Promise<void> {
  const connection = await findConnection(options)
  const token = randomBytes(24).toString('base64url')
  const server = await startDashboardServer({
    connection,
    page: dashboardPage,
    token,
    port: options.port,
    allowWrites: options.write ?? false,
    clock: realClock,
  })
  process.stdout.write(
    `Dashboard: ${server.url}/ui/#token=${token}\n  cluster     ${connection.server}, ${options.write ? 'with your permissions, changes included' : 'reading only'}\n\nThe certificate is made for this run, so the browser asks once. Ctrl-C stops it.\n`,
  )
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  await server.stop()
}
