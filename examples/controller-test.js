// The test of all three example controllers: it starts one of them with a server, and waits for its labels.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startServer } from 'rollcall/testing'

const web = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'example/web:1' }] } },
  },
}

/** Every pod gets the label `seen` with the name of its node, also those of a rollout. */
export async function testController(command, args) {
  const server = await startServer({ nodes: 2 })
  const controller = spawn(command, args, { env: server.env, stdio: ['ignore', 'inherit', 'inherit'] })
  const failed = once(controller, 'exit').then(([code]) => {
    throw new Error(`the controller ended with exit code ${code}`)
  })
  const labelled = (image) =>
    server.until(
      async () => {
        const pods = await server.list('pods', { labelSelector: 'seen' })
        const own = pods.filter(({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec?.containers[0]?.image === image)
        return own.length === 3 && own
      },
      { within: '2m', what: `three pods of ${image} have the label` },
    )
  try {
    for (const image of ['example/web:1', 'example/web:2']) {
      const template = { ...web.spec.template, spec: { containers: [{ name: 'web', image }] } }
      await server.apply({ ...web, spec: { ...web.spec, template } })
      for (const { metadata, spec } of await Promise.race([labelled(image), failed])) assert.equal(metadata.labels?.seen, spec?.nodeName)
    }
  } finally {
    failed.catch(() => {})
    controller.kill()
    await server.stop()
  }
}
