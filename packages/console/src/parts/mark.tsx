import { useContext } from 'preact/hooks';
import { BrandContext } from '../brand.ts';

/** The image and the name of this registry, in one line. */
export function Mark({ size = 24 }: { size?: number }) {
  const { name, mark } = useContext(BrandContext);
  return (
    <>
      <img src={mark} alt="" width={size} height={size} />
      <bdi title={name}>{name}</bdi>
    </>
  );
}
