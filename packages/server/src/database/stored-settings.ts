/** Values that a deployment stores about itself, such as the proof of its master key. Operators set none of them. */
export interface StoredSettings {
  read(name: string): Promise<string | undefined>;
  /** Stores the value unless one exists already; returns the stored value. */
  keep(name: string, value: string): Promise<string>;
}
