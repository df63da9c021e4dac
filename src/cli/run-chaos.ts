// Runs `rollcall chaos`.
import { isStatusError, type StatusError } from '../api/machinery/status-error.ts'
import { alignedTable } from '../base/aligned-rows.ts'
import type { FaultResult } from '../cluster/faults/fault-injector.ts'
import { faultsPath } from '../cluster/faults/fault-paths.ts'
import type { Fault, FaultOrder } from '../cluster/faults/fault-types.ts'
import { connectToCluster } from './cluster-connection.ts'
import type { ClusterOptions } from './cluster-folder.ts'
import { usageError } from './error-line.ts'
import { type OutputOption, printData } from './flag-values.ts'

/** `makeOrder` gets the namespace of the kubeconfig. */
export async function runOrder(makeOrder: (namespace: string) => object, options: ClusterOptions & OutputOption): Promise<void> {
  await withCluster(options, async ({ send, namespace }) => {
    const { message, fault } = (await send('POST', faultsPath, makeOrder(namespace))) as FaultResult
    if (options.output !== undefined) await printData({ message, fault }, options.output)
    else process.stdout.write(`${message}${fault === undefined ? '' : ` (${fault.id})`}\n`)
  })
}

export async function runList({ output, ...options }: ClusterOptions & OutputOption): Promise<void> {
  await withCluster(options, async ({ send }) => {
    const { items } = (await send('GET', faultsPath)) as { readonly items: readonly Fault[] }
    if (output !== undefined) await printData(items, output)
    else if (items.length === 0) process.stdout.write('There are no active faults.\n')
    else process.stdout.write(describeFaults(items))
  })
}

export async function runClear(ids: readonly string[], options: ClusterOptions & OutputOption): Promise<void> {
  await withCluster(options, async ({ send }) => {
    let cleared = 0
    for (const path of ids.length === 0 ? [faultsPath] : ids.map((id) => `${faultsPath}/${encodeURIComponent(id)}`))
      cleared += ((await send('DELETE', path)) as { readonly cleared: number }).cleared
    if (options.output !== undefined) await printData({ cleared }, options.output)
    else
      process.stdout.write(cleared === 0 ? 'There are no active faults.\n' : `${cleared} ${cleared === 1 ? 'fault' : 'faults'} cleared.\n`)
  })
}

interface ChaosCluster {
  readonly namespace: string
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>
}

async function withCluster(options: ClusterOptions, run: (cluster: ChaosCluster) => Promise<void>): Promise<void> {
  const { server, namespace, transport, unreachable } = await connectToCluster(options)
  try {
    await run({
      namespace,
      async send(method, path, body) {
        try {
          return JSON.parse(await transport.send({ method, path, ...(body && { body: () => JSON.stringify(body) }) })) as unknown
        } catch (error) {
          throw isStatusError(error) ? explain(error, server) : unreachable(error as Error)
        }
      },
    })
  } finally {
    transport.close()
  }
}

function explain({ status: { code = 0, message = '' } }: StatusError, server: string): Error {
  // A 404 with another message comes from a server that has no such path.
  if (code === 404 && !message.startsWith('there is no '))
    return new Error(`Cannot inject faults at ${server}: it does not accept faults. Use a cluster of rollcall up.`)
  if (code === 400 || code === 404 || code === 409) return usageError(message)
  return new Error(`Cannot inject faults at ${server}: ${message}`)
}

/** A table, as kubectl prints them. */
function describeFaults(faults: readonly Fault[]): string {
  const rows = faults.map(({ id, order, since, until, progress }) => [
    id,
    targetOf(order),
    order.action,
    since,
    until ?? 'cleared',
    detailOf(order, progress),
  ])
  return alignedTable([['ID', 'TARGET', 'FAULT', 'SINCE', 'UNTIL', 'DETAIL'], ...rows])
}

function targetOf(order: FaultOrder): string {
  if (order.target === 'api') return 'api'
  if (order.target === 'client') return `client/${[...(order.agents ?? []), ...(order.users ?? [])].join(',') || '*'}`
  if (order.target !== 'pod') return `${order.target}/${order.name}`
  return `pod/${order.namespace ?? 'default'}/${order.name}${order.container === undefined ? '' : ` ${order.container}`}`
}

function detailOf(order: FaultOrder, progress: string | undefined): string {
  if (order.target === 'client') {
    const { target: _, action: __, agents: ___, users: ____, for: _____, ...fields } = order
    return Object.entries(fields)
      .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
      .join(' ')
  }
  if (order.target !== 'api') return progress ?? ''
  const { delay, share, code, verbs, kinds, agents } = order
  const parts = [
    order.action === 'slow' ? (delay ?? '200ms') : String(code ?? 503),
    share && `${share} of`,
    verbs?.join(','),
    kinds?.join(','),
    agents && `by ${agents.join(',')}`,
  ]
  return parts.filter(Boolean).join(' ')
}
