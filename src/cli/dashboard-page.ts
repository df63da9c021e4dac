// The dashboard's files, which lie beside the bundle, and its own requests.
import { badRequestError } from '../api/machinery/status-error.ts'
import { formatTime, realClock } from '../base/clock.ts'
import type { DashboardPage } from '../cluster/dashboard-page.ts'
import { rollcallVersion } from '../cluster/version.ts'

export const dashboardPage: DashboardPage = {
  folder: new URL('./ui/', import.meta.url),
  async handleOwnPath(request) {
    const { answerDashboard } = await import('../simulate/live/dashboard-paths.ts')
    const { InputError } = await import('../simulate/rollout/input-error.ts')
    try {
      const body = await answerDashboard(request, { version: rollcallVersion, createdAt: formatTime(realClock.now()) })
      return body && { body }
    } catch (error) {
      if (error instanceof InputError) throw badRequestError(error.message)
      throw error
    }
  },
}
