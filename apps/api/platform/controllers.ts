import type { Type } from '@nestjs/common';

const controllers: Type[] = [];

export function Registered(controller: Type): void {
  controllers.push(controller);
}

export function registeredControllers(): Type[] {
  return controllers;
}
