// Finds out whether the built-in controllers of a cluster are active, by asking each for something harmless and watching
// whether it answers. Two controllers of one kind would fight over every object.
//
// The probe objects ask for no pods. They carry an annotation by which Rollcall's own controllers leave them alone, so a
// replica that stands by can run the preflight while another one leads.

import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject } from '../../api/types.ts'
import { type Clock, formatTime, sleep } from '../../base/clock.ts'
import { type Random, randomSuffix } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import type { RemoteControllerDefinition } from '../../controllers/controller-definition.ts'
import { preflightAnnotation } from '../../controllers/shared/probe.ts'

/** Whether the object is a probe, which Rollcall's controllers leave alone. */
export const isProbe = ({ metadata }: KubernetesObject): boolean => metadata?.annotations?.[preflightAnnotation] !== undefined

interface PreflightOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  /** Where the probes are created. */
  readonly namespace: string
  readonly controllers: readonly RemoteControllerDefinition[]
  /** How long a built-in controller has to answer. */
  readonly waitMs: number
}

const intervalMs = 100

/** The controllers of the list that something else in the cluster runs already. */
export async function findActiveControllers(options: PreflightOptions): Promise<readonly RemoteControllerDefinition[]> {
  const found = await Promise.all(
    options.controllers.map(async (controller) => ((await isActive(options, controller)) ? [controller] : [])),
  )
  return found.flat()
}

async function isActive(
  { client, clock, random, namespace, waitMs }: PreflightOptions,
  { remote }: RemoteControllerDefinition,
): Promise<boolean> {
  const { kind, object, provoke, isAnswered } = remote.probe
  const metadata = {
    name: `rollcall-preflight-${remote.flag}-${randomSuffix(random)}`,
    namespace,
    annotations: { [preflightAnnotation]: formatTime(clock.now()) },
  }
  const created = await client.create(kind, namespace, { ...object(clock.now()), metadata })
  const ref = { namespace, name: metadata.name }
  const read = () => ignoring('NotFound', client.get(kind, ref))
  try {
    try {
      await provoke?.(client, created, clock.now())
    } catch (error) {
      // The controller was faster: it has changed or deleted the probe already.
      if (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')) return true
      throw error
    }
    const untilMs = clock.now() + waitMs
    for (;;) {
      if (isAnswered(await read())) return true
      if (clock.now() >= untilMs) return false
      await sleep(clock, intervalMs)
    }
  } finally {
    await client.delete(kind, ref, { propagationPolicy: 'Background' }).catch(() => {})
  }
}

/** The flag of kube-controller-manager that turns the built-in controllers off. */
export const builtInsOff = (replaced: readonly RemoteControllerDefinition[]): string =>
  `--controllers=*,bootstrap-signer-controller,token-cleaner-controller,${replaced.map(({ remote }) => `-${remote.builtIn}`).join(',')}`

/**
 * How to turn the built-in controllers off, one line for each kind of installation. The flag names all that are to be replaced, because it
 * takes the place of a flag that has turned some of them off already.
 */
export function refusal(active: readonly RemoteControllerDefinition[], replaced: readonly RemoteControllerDefinition[]): string {
  const flag = builtInsOff(replaced)
  const flagsOf = (controllers: readonly RemoteControllerDefinition[], separator: string) =>
    controllers.map(({ remote }) => remote.flag).join(separator)
  const others = replaced.filter((controller) => !active.includes(controller))
  return [
    `the built-in controllers for ${flagsOf(active, ', ')} are active, and two controllers of one kind would fight over every object.`,
    'Turn them off, then start again:',
    `  kubeadm  in /etc/kubernetes/manifests/kube-controller-manager.yaml on every control-plane node, replace the flag --controllers by: ${flag}`,
    `  kind     in the cluster's config, under kubeadmConfigPatches, ClusterConfiguration.controllerManager.extraArgs: controllers: "${flag.slice('--controllers='.length)}"`,
    `  k3s      start the server with --kube-controller-manager-arg=${flag.slice(2)}`,
    ...(others.length === 0 ? [] : [`Or leave them to Kubernetes: --controllers=${flagsOf(others, ',')}`]),
  ].join('\n')
}
