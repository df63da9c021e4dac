// The options of a connection to a pod as an object, which webhooks and policies review: PodExecOptions and its like.
import { badRequestError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import type { Query } from './query.ts'
import type { Request } from './request.ts'

const kinds: Readonly<Record<string, string>> = {
  attach: 'PodAttachOptions',
  exec: 'PodExecOptions',
  portforward: 'PodPortForwardOptions',
  proxy: 'PodProxyOptions',
}

/** Throws a StatusError where a port to forward is not a number. */
export function checkPorts(query: Query): void {
  const wrong = query.all('ports').find((port) => !/^[0-9]+$/.test(port))
  if (wrong !== undefined)
    throw badRequestError(`cannot convert to []int32: strconv.ParseUint: parsing ${JSON.stringify(wrong)}: invalid syntax`)
}

export function connectOptions({ query, path }: Request, subresource: string, isService: boolean): KubernetesObject {
  const container = query.text('container')
  const streams = ['stdin', 'stdout', 'stderr', 'tty'].filter((one) => query.flag(one))
  const isStream = subresource === 'exec' || subresource === 'attach'
  const ports = query.all('ports').flatMap((one) => one.split(',').map(Number))
  const shown = {
    kind: isService ? 'ServiceProxyOptions' : kinds[subresource]!,
    apiVersion: 'v1',
    ...(isStream && Object.fromEntries(streams.map((one) => [one, true]))),
    ...(isStream && container && { container }),
    ...(subresource === 'exec' && { command: query.all('command') }),
    ...(subresource === 'portforward' && ports.length > 0 && { ports }),
    ...(subresource === 'proxy' && { path: /\/proxy\/(.*)$/.exec(path)?.[1] ?? '' }),
  }
  return shown as KubernetesObject
}
