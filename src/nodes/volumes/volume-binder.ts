// Binds claims to volumes, provisions volumes, and releases the volumes of deleted claims.
// Kubernetes: pkg/controller/volume/persistentvolume.PersistentVolumeController.syncClaim, PersistentVolumeController.syncVolume
// Kubernetes: pkg/controller/volume/persistentvolume.PersistentVolumeController.bind, PersistentVolumeController.reclaimVolume
// Kubernetes: pkg/controller/volume/persistentvolume.PersistentVolumeController.provisionClaimOperation
import { persistentVolumeClaims, persistentVolumes, pods as podKind, storageClasses } from '../../api/kinds.ts'
import { ignoring } from '../../api/machinery/status-error.ts'
import type { Client } from '../../client/client.ts'
import { buildController, type ReconcileContext } from '../../runtime/controller.ts'
import type { RecordingControllerParts, RunningController } from '../../runtime/controller-parts.ts'
import { keyOf, splitKey } from '../../runtime/informer.ts'
import { together } from '../../runtime/together.ts'
import { claimsOf, classOf, isBound } from '../scheduler/pod-claims.ts'
import { type Claim, newVolume, planClaim, provisionedBy, refOf, type Volume } from './claim-plan.ts'

const completed = 'pv.kubernetes.io/bind-completed'
const byController = 'pv.kubernetes.io/bound-by-controller'

export function startVolumeBinder(parts: RecordingControllerParts): RunningController {
  const { informers, recorder } = parts
  const claims = informers.get(persistentVolumeClaims)
  const volumes = informers.get(persistentVolumes)
  const classes = informers.get(storageClasses)
  const pods = informers.get(podKind)
  /** Claims that are used by a pod with a node, by key. */
  const consumed = new Set<string>()
  /** Claims without a volume, by key. */
  const unbound = new Set<string>()
  /** Volumes without a claim, by name; and volumes by the key of the claim that they name. */
  const free = new Set<string>()
  const preBound = new Map<string, string>()
  /** The reason that was last reported for a claim, by key. */
  const reportedReasons = new Map<string, string>()

  const report = (claim: Claim, reason: string, message: string) => {
    const key = keyOf(claim)
    if (reportedReasons.get(key) === reason) return
    reportedReasons.set(key, reason)
    recorder.record(claim, 'Normal', reason, message)
  }

  const bind = async (client: Client, claim: Claim, volume: Volume) => {
    let bound = volume
    if (bound.spec?.claimRef?.uid !== claim.metadata.uid) {
      const annotations = { ...bound.metadata.annotations, [byController]: 'yes' }
      const spec = { ...bound.spec, claimRef: refOf(claim) }
      bound = await client.update(persistentVolumes, { ...bound, metadata: { ...bound.metadata, annotations }, spec })
    }
    await setVolumePhase(client, bound, 'Bound')
    let current = claim
    if (current.spec?.volumeName !== bound.metadata.name || current.metadata.annotations?.[completed] === undefined) {
      const marks = { [completed]: 'yes', ...(!current.spec?.volumeName && { [byController]: 'yes' }) }
      const annotations = { ...current.metadata.annotations, ...marks }
      const spec = { ...current.spec, volumeName: bound.metadata.name }
      current = await client.update(persistentVolumeClaims, { ...current, metadata: { ...current.metadata, annotations }, spec })
    }
    const { accessModes, capacity } = bound.spec ?? {}
    const status = { ...current.status, phase: 'Bound', ...(accessModes && { accessModes }), ...(capacity && { capacity }) }
    await client.updateStatus(persistentVolumeClaims, { ...current, status })
    reportedReasons.delete(keyOf(claim))
  }

  const provision = async (client: Client, claim: Claim) => {
    const storageClass = classes.get(classOf(claim) ?? '')
    const volume =
      (await ignoring('AlreadyExists', client.create(persistentVolumes, undefined, newVolume(claim, storageClass)))) ??
      (await client.get(persistentVolumes, { name: `pvc-${claim.metadata.uid}` }))
    report(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${volume.metadata.name}`)
    await bind(client, claim, volume)
  }

  const setVolumePhase = async (client: Client, volume: Volume, phase: string) => {
    if (volume.status?.phase === phase) return volume
    return client.updateStatus(persistentVolumes, { ...volume, status: { ...volume.status, phase } })
  }

  function* readFree(): Generator<Volume> {
    for (const name of free) {
      const volume = volumes.get(name)
      if (volume !== undefined) yield volume
    }
  }

  const reconcileClaim = async (claim: Claim, { key, client }: ReconcileContext) => {
    if (claim.metadata.deletionTimestamp !== undefined) return undefined
    if (isBound(claim)) return checkVolume(client, claim)
    const className = classOf(claim)
    const storageClass = className ? classes.get(className) : undefined
    const named = volumes.get(claim.spec?.volumeName ?? '')
    const preBoundVolume = volumes.get(preBound.get(key) ?? '')
    const plan = planClaim(claim, {
      ...(named && { named }),
      ...(preBoundVolume && { preBound: preBoundVolume }),
      free: readFree(),
      ...(storageClass && { storageClass }),
      hasConsumer: consumed.has(key),
    })
    if (plan.at === 'bind') await bind(client, claim, plan.volume)
    else if (plan.at === 'provision') await provision(client, claim)
    else if (plan.reason !== undefined) report(claim, plan.reason, plan.message ?? '')
    return undefined
  }

  const checkVolume = async (client: Client, claim: Claim) => {
    const name = claim.spec?.volumeName ?? ''
    if (volumes.get(name) !== undefined || (await ignoring('NotFound', client.get(persistentVolumes, { name })))) return undefined
    await client.updateStatus(persistentVolumeClaims, { ...claim, status: { phase: 'Lost' } })
    const message = 'Bound claim has lost its PersistentVolume. Data on the volume is lost!'
    recorder.record(claim, 'Warning', 'ClaimLost', message)
    return undefined
  }

  const reconcileVolume = async (volume: Volume, { key: name, client }: ReconcileContext) => {
    if (volume.metadata.deletionTimestamp !== undefined) return undefined
    const ref = volume.spec?.claimRef
    if (ref === undefined) {
      if (volume.status?.phase === 'Pending') await setVolumePhase(client, volume, 'Available')
      return undefined
    }
    // It is reserved for a claim that may not exist yet.
    if (!ref.uid) return undefined
    const key = `${ref.namespace}/${ref.name}`
    if (claims.get(key)?.metadata.uid === ref.uid) return undefined
    // The cache may be behind: ask the server.
    const claim = await ignoring('NotFound', client.get(persistentVolumeClaims, splitKey(key)))
    if (claim?.metadata.uid === ref.uid) return undefined
    const released = await setVolumePhase(client, volume, 'Released')
    const isOurs = volume.metadata.annotations?.[provisionedBy] !== undefined
    if (isOurs && volume.spec?.persistentVolumeReclaimPolicy === 'Delete')
      await client.delete(persistentVolumes, { name }, { preconditions: { uid: released.metadata.uid } })
    return undefined
  }

  const claimController = buildController(parts, {
    name: 'claims',
    for: persistentVolumeClaims,
    delayOf: (claim) => (isBound(claim) ? undefined : 0),
    reads: [volumes, classes, pods],
    workers: 1,
    reconcile: reconcileClaim,
    forget(key) {
      consumed.delete(key)
      reportedReasons.delete(key)
    },
  })
  const volumeController = buildController(parts, {
    name: 'volumes',
    for: persistentVolumes,
    reads: [claims],
    workers: 1,
    reconcile: reconcileVolume,
  })

  claims.onChange((current, previous) => {
    const key = keyOf((current ?? previous)!)
    if (current !== undefined && !isBound(current)) unbound.add(key)
    else unbound.delete(key)
    if (current !== undefined) return
    // The claim may have been deleted before it named its volume.
    const volume = previous?.spec?.volumeName || preBound.get(key)
    if (volume) volumeController.enqueue(volume)
  })
  volumes.onChange((current, previous) => {
    const { metadata, spec } = (current ?? previous)!
    const ref = spec?.claimRef
    const key = ref && `${ref.namespace}/${ref.name}`
    if (current !== undefined && key === undefined) free.add(metadata.name)
    else free.delete(metadata.name)
    if (key !== undefined) {
      if (current !== undefined) preBound.set(key, metadata.name)
      else if (preBound.get(key) === metadata.name) preBound.delete(key)
      claimController.enqueue(key)
    } else for (const waiting of unbound) claimController.enqueue(waiting)
  })
  classes.onChange((current) => {
    for (const key of unbound) {
      const claim = claims.get(key)
      if (claim !== undefined && classOf(claim) === current?.metadata.name) claimController.enqueue(key)
    }
  })
  pods.onChange((current) => {
    if (!current?.spec?.nodeName) return
    for (const name of claimsOf(current)) {
      const key = `${current.metadata.namespace}/${name}`
      if (consumed.has(key)) continue
      consumed.add(key)
      claimController.enqueue(key)
    }
  })
  return together([claimController, volumeController])
}
