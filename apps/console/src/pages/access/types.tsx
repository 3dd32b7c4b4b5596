import { Badge } from '@mantine/core';
import styles from './access.module.css';

export function Types({ types }: { readonly types: readonly string[] }) {
  return (
    <span className={styles.types}>
      {types.map((type) => (
        <Badge key={type} variant="light" tt="none" radius="sm">
          {type}
        </Badge>
      ))}
    </span>
  );
}
