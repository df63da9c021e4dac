// Ours: several controllers run as one.
import type { RunningController } from './controller-parts.ts'

/** Several controllers that start and stop as one. */
export const together = (controllers: readonly RunningController[]): RunningController => ({
  synced: Promise.all(controllers.map(({ synced }) => synced)).then(() => undefined),
  async stop() {
    await Promise.all(controllers.map((controller) => controller.stop()))
  },
})
