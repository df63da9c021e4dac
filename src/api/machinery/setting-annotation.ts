// Names of the annotations by which one container of a pod is set: `rollcall.dev/stop-delay.web`.
// Ours: the annotations that control simulated pods.

const maxNameLength = 63

/** A name part that Kubernetes would refuse as too long is cut: two containers whose long names differ only at the end share it. */
export function settingAnnotation(setting: string, container: string): string {
  const name = `${setting}.${container}`
  return `rollcall.dev/${name.length <= maxNameLength ? name : name.slice(0, maxNameLength).replace(/[-._]+$/, '')}`
}
